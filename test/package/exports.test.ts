/**
 * What the package exports, and what is promised of every export.
 */
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { entries, filesUnder, placeOf, root, sources, textOf, treeOf, walk } from './sources.js'

const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
const program = ts.createProgram(
  entries.map((entry) => root + entry),
  options,
)
const checker = program.getTypeChecker()

/** The symbols that an entry exports, where they are declared, sorted by name. */
function exportsOf(entry: string): ts.Symbol[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(root + entry)!)!
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

const declarationOf = (symbol: ts.Symbol): ts.Declaration => symbol.declarations![0]!

function kindOf(symbol: ts.Symbol): string {
  const declaration = declarationOf(symbol)
  if (ts.isFunctionDeclaration(declaration)) return 'function'
  if (ts.isClassDeclaration(declaration)) return 'class'
  if (ts.isInterfaceDeclaration(declaration)) return 'interface'
  return ts.isTypeAliasDeclaration(declaration) ? 'type' : 'const'
}

/** What a symbol's docstring lacks. */
function docFaults(symbol: ts.Symbol): string[] {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const tags = symbol.getJsDocTags(checker)
  const throws = tags.filter(({ name }) => name === 'throws')
  const whole = [text, ...tags.map((tag) => ts.displayPartsToString(tag.text))].join('\n')
  const faults: string[] = []
  if (text.trim() === '') faults.push('no docstring')
  if (throws.length > 1) faults.push('several @throws')
  if (throws.length === 0 && !/\bnever throws\b/i.test(whole))
    faults.push('neither @throws nor "never throws"')
  return faults.map(
    (fault) => `${placeOf(declarationOf(symbol)).slice(root.length)} ${symbol.name}: ${fault}`,
  )
}

describe('the exports', () => {
  it('are these', async () => {
    const list = entries.flatMap((entry) => [
      `# ${entry}`,
      ...exportsOf(entry).map((symbol) => `${kindOf(symbol)} ${symbol.name}`),
      '',
    ])
    await expect(list.join('\n')).toMatchFileSnapshot('exports.txt')
  })

  it('that are functions say what they do and what they throw', () => {
    const functions = entries.flatMap(exportsOf).filter((symbol) => kindOf(symbol) === 'function')
    expect(functions.length).toBeGreaterThan(20)
    expect(functions.flatMap(docFaults)).toEqual([])
  })

  it('stand in the entries one by one, never as a star', () => {
    const stars: string[] = []
    for (const path of sources)
      walk(treeOf(path), (node) => {
        if (ts.isExportDeclaration(node) && node.exportClause === undefined) stars.push(placeOf(node))
      })
    expect(stars).toEqual([])
  })

  it('have no any in their declarations', () => {
    const declarations = filesUnder('dist').filter((path) => path.endsWith('.d.ts'))
    expect(declarations.length).toBeGreaterThan(40)
    const found: string[] = []
    for (const path of declarations)
      walk(treeOf(path), (node) => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(placeOf(node))
      })
    expect(found).toEqual([])
  })
})

describe('a source file', () => {
  it('holds one idea: at most 300 lines', () => {
    const isWritten = (path: string): boolean => !/ Written by scripts\/[\w-]+\.ts\.$/m.test(textOf(path))
    const lengths = sources
      .filter(isWritten)
      .map((path) => ({ path, lines: textOf(path).split('\n').length - 1 }))
    expect(lengths.filter(({ lines }) => lines > 300)).toEqual([])
  })

  it('says on top what it is', () => {
    const isSaid = (path: string): boolean => /^(#!.*\n)?\/\*\*/.test(textOf(path))
    expect(sources.filter((path) => !isSaid(path))).toEqual([])
  })
})
