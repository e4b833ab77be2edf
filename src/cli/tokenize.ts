/**
 * `--tokenizer`: tokens of records that tell no spans, rendered and encoded with the files of a model.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TaraError } from '../errors.js'
import { loadTokenizer } from '../formats/chat-tokenizer.js'
import type { Tokenize } from '../formats/record-tokens.js'
import { type TokenizeOptions, tokenize, tokenizeDefaults } from '../formats/tokenize.js'
import { fileError, UsageError } from './failure.js'
import { type Flag, type Given, kebab, pick } from './flag.js'

/** What belongs to a span, and what is let pass. */
const optionFlags: readonly Flag[] = [
  {
    name: 'endToken',
    value: '<rule>',
    text: 'whether the token that ends an assistant message is trained',
    shown: tokenizeDefaults.endToken,
    choices: ['include', 'exclude'],
  },
  {
    name: 'reasoning',
    value: '<rule>',
    text: "whether the assistant's reasoning is trained",
    shown: tokenizeDefaults.reasoning,
    choices: ['include', 'exclude'],
  },
  {
    name: 'sequences',
    value: '<rule>',
    text: 'where the template writes earlier messages anew: another sequence, or an error',
    shown: tokenizeDefaults.sequences,
    choices: ['several', 'one'],
  },
  {
    name: 'argumentsText',
    value: '<rule>',
    text: 'arguments must be rendered to the letter, or but for white space',
    shown: tokenizeDefaults.argumentsText,
    choices: ['exact', 'spacing'],
  },
]

/** How tokens are made of messages. */
export const tokenizeFlags: readonly Flag[] = [
  {
    name: 'tokenizer',
    value: '<file>',
    text: 'tokenizer.json, or a folder that holds it: tokens of records that tell no spans',
  },
  { name: 'chatTemplate', value: '<file>', text: 'chat template, in place of the one beside the tokenizer' },
  ...optionFlags,
]

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fileError('read', path, error)
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path))
  } catch (error) {
    throw error instanceof SyntaxError ? new UsageError(`${path}: ${error.message}`) : error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The files of a model: the tokenizer, and what lies beside it. */
function readFiles(path: string, templatePath: string | undefined): Parameters<typeof loadTokenizer>[0] {
  const file = isFolder(path) ? join(path, 'tokenizer.json') : path
  const beside = (name: string): string | undefined => {
    const other = join(dirname(file), name)
    return existsSync(other) ? other : undefined
  }
  const tokenizer = readJson(file)
  const config = beside('tokenizer_config.json')
  const template = templatePath ?? beside('chat_template.jinja')
  return {
    tokenizer,
    ...(config !== undefined && { config: readJson(config) }),
    ...(template !== undefined && { chatTemplate: readText(template) }),
  }
}

/** Loads what `--tokenizer` names; undefined where it is not given.
 * @param isUsed - whether the run wants tokens
 * @throws UsageError for files that cannot be read or used, a missing package, or a flag that has no place
 */
export async function tokenizeFor(given: Given, isUsed: boolean): Promise<Tokenize | undefined> {
  const path = given.tokenizer as string | undefined
  const flags = tokenizeFlags.filter(({ name }) => given[name] !== undefined)
  if (flags.length === 0) return undefined
  if (path === undefined) throw new UsageError(`--${kebab(flags[0]!.name)} needs --tokenizer`)
  if (!isUsed) throw new UsageError('--tokenizer needs --tokens, or something else that wants tokens')
  const files = readFiles(path, given.chatTemplate as string | undefined)
  try {
    const tokenizer = await loadTokenizer(files)
    const options = pick(given, optionFlags) as Partial<TokenizeOptions>
    return (conversation) => tokenize(tokenizer, conversation, options)
  } catch (error) {
    throw error instanceof TaraError ? new UsageError(`${path}: ${error.message}`) : error
  }
}
