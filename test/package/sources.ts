/**
 * The files of src/ and what they import, read from their syntax trees.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const root: string = fileURLToPath(new URL('../../', import.meta.url))

/** `src/batch/build.ts`, … */
export const sources: readonly string[] = filesUnder('src').filter((path) => path.endsWith('.ts'))

/** What the package can be imported by: `src/index.ts`, `src/formats/index.ts`. */
export const entries: readonly string[] = [
  'src/index.ts',
  'src/formats/index.ts',
  'src/trainers/index.ts',
  'src/tfjs/index.ts',
  'src/synth/index.ts',
  'src/report/index.ts',
]

/** Files below a folder of the repository, as paths from its root. */
export function filesUnder(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.replaceAll('\\', '/').slice(root.length)}/${entry.name}`)
    .sort()
}

export function textOf(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}

export function treeOf(path: string, text: string = textOf(path)): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
}

/** Calls `visit` with every node of a tree. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** `src/batch/build.ts:12`. */
export function placeOf(node: ts.Node): string {
  const file = node.getSourceFile()
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}

/** Where a node names another module, if it does: the five ways of writing it. */
function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument
  if (ts.isExternalModuleReference(node)) return node.expression
  if (!ts.isCallExpression(node)) return undefined
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require'
  return isImport || isRequire ? (node.arguments[0] ?? node) : undefined
}

/** The names of modules that a file imports, those of types too; what is not a plain string as it is written. */
export function importsOf(path: string, text?: string): string[] {
  const found: string[] = []
  walk(treeOf(path, text), (node) => {
    const name = specifierOf(node)
    if (name !== undefined) found.push(ts.isStringLiteralLike(name) ? name.text : name.getText())
  })
  return found
}

export const isRelative = (name: string): boolean => /^\.\.?\//.test(name)

/** The file that a relative import of a file leads to. */
export function targetOf(path: string, name: string): string {
  return posix.join(posix.dirname(path), name).replace(/\.js$/, '.ts')
}

/** Which file imports which, by relative imports. */
export const graph: ReadonlyMap<string, readonly string[]> = new Map(
  sources.map((path) => [
    path,
    importsOf(path)
      .filter(isRelative)
      .map((name) => targetOf(path, name)),
  ]),
)

/** A file and all that it reaches. */
export function reachedFrom(entry: string): string[] {
  const seen = new Set([entry])
  for (const path of seen) for (const target of graph.get(path) ?? []) seen.add(target)
  return [...seen]
}
