/**
 * Packages that are loaded only when they are used, and how it is said that one is missing.
 */
import { fail } from '../errors.js'

/** What is used of `@huggingface/tokenizers`. */
export interface TokenizerModule {
  readonly Tokenizer: new (
    tokenizer: object,
    config: object,
  ) => {
    encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] }
    id_to_token(id: number): string | undefined
  }
}

/** What is used of `@huggingface/jinja`. */
export interface TemplateModule {
  readonly Template: new (text: string) => { render(values: Record<string, unknown>): string }
}

/** Where the packages come from; give one to load them from elsewhere. */
export interface Peers {
  readonly tokenizers: () => Promise<TokenizerModule>
  readonly jinja: () => Promise<TemplateModule>
}

/** Loads by a name that bundlers do not follow: a bundle must not need what may not be installed. */
const optional = (name: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ name)

export const installedPeers: Peers = Object.freeze({
  tokenizers: () => optional('@huggingface/tokenizers') as Promise<TokenizerModule>,
  jinja: () => optional('@huggingface/jinja') as Promise<TemplateModule>,
})

/** Loads a package.
 * @param what - what needs it, for the error
 * @throws TaraError `MISSING` with the name of the package and the command that installs it
 */
export async function loadPeer<Module>(
  what: string,
  name: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0]! : String(error)
    return fail('MISSING', what, `the package ${name} (npm install ${name})`, reason)
  }
}
