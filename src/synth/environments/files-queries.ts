/**
 * Queries of the file system: what is in folders and files.
 */
import type { Tool } from '../types.js'
import { listOf, record, text, the, tool, whole } from './define.js'
import type { File, FilesData } from './files-data.js'
import { folderOf, pathOf } from './files-schemas.js'

const parent = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** The files of a folder that exists. */
function filesIn({ folders, files }: FilesData, folder: string): File[] {
  the(folders, 'folder', folder, 'folder')
  return files.filter(({ path }) => parent(path) === folder)
}

/** The queries, in their order. */
export const filesQueries: readonly Tool[] = [
  tool<FilesData, { folder: string }>(
    {
      name: 'ls',
      description: 'List the files of a folder.',
      kind: 'query',
      inputSchema: record({ folder: folderOf }),
      outputSchema: record({
        entries: listOf('Files of the folder.', { path: pathOf, size: whole('Characters of the file.') }),
      }),
    },
    (database, { folder }) => ({
      entries: filesIn(database, folder).map(({ path, content }) => ({ path, size: content.length })),
    }),
  ),
  tool<FilesData, { folder: string; pattern: string; ignore_case?: boolean }>(
    {
      name: 'grep',
      description: 'Find the lines of a folder that hold a word.',
      kind: 'query',
      inputSchema: record(
        {
          folder: folderOf,
          pattern: text('Word to look for.', { minLength: 1, examples: ['harbor', 'budget', 'Batteries'] }),
          ignore_case: { type: 'boolean', description: 'Take capital and small letters as the same.' },
        },
        ['ignore_case'],
      ),
      outputSchema: record({
        matches: listOf('Lines with the word.', {
          path: pathOf,
          line_number: whole('From 1.'),
          line: text('The line.'),
        }),
      }),
    },
    (database, { folder, pattern, ignore_case = false }) => {
      const same = (line: string): string => (ignore_case ? line.toLowerCase() : line)
      return {
        matches: filesIn(database, folder).flatMap(({ path, content }) =>
          content
            .split('\n')
            .map((line, k) => ({ path, line_number: k + 1, line }))
            .filter(({ line }) => same(line).includes(same(pattern))),
        ),
      }
    },
  ),
  tool<FilesData, { path: string }>(
    {
      name: 'stat',
      description: 'Show owner, mode and size of a file.',
      kind: 'query',
      inputSchema: record({ path: pathOf }),
      outputSchema: record({
        owned_by: text('Name of the owner.'),
        rights: text('Who can read and write.'),
        size: whole('Characters of the file.'),
      }),
    },
    ({ files }, { path }) => {
      const { owner, mode, content } = the(files, 'path', path, 'file')
      return { owned_by: owner, rights: mode, size: content.length }
    },
  ),
  tool<FilesData, { path: string; max_lines?: number }>(
    {
      name: 'cat',
      description: 'Show the text of a file.',
      kind: 'query',
      inputSchema: record(
        {
          path: pathOf,
          max_lines: whole('Lines from the top; all if not given.', { minimum: 1, examples: [1, 2] }),
        },
        ['max_lines'],
      ),
      outputSchema: record({ content: text('Text of the file.') }),
    },
    ({ files }, { path, max_lines }) => {
      const { content } = the(files, 'path', path, 'file')
      return { content: content.split('\n').slice(0, max_lines).join('\n') }
    },
  ),
]
