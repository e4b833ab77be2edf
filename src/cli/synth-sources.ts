/**
 * The environments of a command: those of a folder, or where none is named those that come with the library.
 *
 * stdout is for data. What the modules of a folder print with `console` goes to stderr.
 */
import { environments } from '../synth/environments/index.js'
import { loadEnvironments } from '../synth/folder.js'
import type { EnvironmentSource } from '../synth/types.js'
import { fileError, systemCode } from './failure.js'
import type { Io } from './io.js'

/** Loads environments. From then on, `console` prints to stderr where they are a user's own.
 * @throws TaraError with file and place; UsageError where the folder cannot be read
 */
export async function sourcesOf(folder: string | undefined, io: Io): Promise<readonly EnvironmentSource[]> {
  if (folder === undefined) return environments
  io.keepStdoutForData()
  try {
    return await loadEnvironments(folder)
  } catch (error) {
    throw systemCode(error) === undefined ? error : fileError('read', folder, error)
  }
}
