/**
 * The environments of a command: those of a folder, or where none is named those that come with the library.
 */
import { environments } from '../synth/environments/index.js'
import { loadEnvironments } from '../synth/folder.js'
import type { EnvironmentSource } from '../synth/types.js'
import { fileError, systemCode } from './failure.js'

/** Loads environments.
 * @throws TaraError with file and place; UsageError where the folder cannot be read
 */
export async function sourcesOf(folder: string | undefined): Promise<readonly EnvironmentSource[]> {
  if (folder === undefined) return environments
  try {
    return await loadEnvironments(folder)
  } catch (error) {
    throw systemCode(error) === undefined ? error : fileError('read', folder, error)
  }
}
