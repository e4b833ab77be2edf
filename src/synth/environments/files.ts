/**
 * A file system of a small team: short commands on paths.
 */
import type { EnvironmentSource, Tool } from '../types.js'
import { choice, record, refuse, text, the, tool, whole } from './define.js'
import { type FilesData, filesData } from './files-data.js'
import { filesQueries } from './files-queries.js'
import { folderOf, pathOf } from './files-schemas.js'

const name = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Refuses to write over a file. */
function free({ files }: FilesData, path: string): string {
  return files.some((one) => one.path === path) ? refuse(`There is a file ${path} already.`) : path
}

const filesUpdates: readonly Tool[] = [
  tool<FilesData, { parent_folder: string; folder_name: string }>(
    {
      name: 'mkdir',
      description: 'Make a folder.',
      kind: 'update',
      inputSchema: record({
        parent_folder: {
          type: 'string',
          description: 'Folder in which it is made.',
          enum: ['/projects', '/shared', '/people/nora'],
        },
        folder_name: text('Name of the folder.', {
          pattern: '^[a-z0-9-]+$',
          examples: ['archive', 'drafts'],
        }),
      }),
      outputSchema: record({ target_folder: folderOf }),
    },
    ({ folders }, { parent_folder, folder_name }) => {
      const folder = `${parent_folder}/${folder_name}`
      if (folders.some((one) => one.folder === folder)) refuse(`There is a folder ${folder} already.`)
      folders.push({ folder, description: '' })
      return { target_folder: folder }
    },
  ),
  tool<FilesData, { target_folder: string; file_name: string; text: string }>(
    {
      name: 'write',
      description: 'Write a new file into a folder.',
      kind: 'update',
      inputSchema: record({
        target_folder: folderOf,
        file_name: text('Name of the file.', {
          pattern: '^[A-Za-z0-9._-]+$',
          examples: ['summary.md', 'plan.txt'],
        }),
        text: text('Text of the file.', {
          examples: ['Meeting on Monday at nine.', 'To be checked by Sam.'],
        }),
      }),
      outputSchema: record({ path: pathOf }),
    },
    (database, { target_folder, file_name, text }) => {
      the(database.folders, 'folder', target_folder, 'folder')
      const path = free(database, `${target_folder}/${file_name}`)
      database.files.push({ path, content: text, owner: 'nora', mode: 'rw-r--r--' })
      return { path }
    },
  ),
  tool<FilesData, { path: string; new_line: string }>(
    {
      name: 'append',
      description: 'Add a line to the end of a file.',
      kind: 'update',
      after: ['cat', 'grep', 'stat'],
      inputSchema: record({
        path: pathOf,
        new_line: text('The line.', {
          minLength: 1,
          examples: ['Seen and approved.', 'Next check in July.'],
        }),
      }),
      outputSchema: record({ lines: whole('Lines of the file now.') }),
    },
    ({ files }, { path, new_line }) => {
      const file = the(files, 'path', path, 'file')
      if (!file.mode.startsWith('rw')) refuse(`File ${path} cannot be written.`)
      file.content += `\n${new_line}`
      return { lines: file.content.split('\n').length }
    },
  ),
  tool<FilesData, { path: string; mode: string }>(
    {
      name: 'chmod',
      description: 'Change who can read and write a file.',
      kind: 'update',
      after: ['stat', 'append'],
      inputSchema: record({
        path: pathOf,
        mode: choice('Rights of owner, group and others.', [
          'rw-r--r--',
          'rw-rw-r--',
          'rw-------',
          'r--r--r--',
        ]),
      }),
      outputSchema: record({ previous_mode: text('Rights until now.') }),
    },
    ({ files }, { path, mode }) => {
      const file = the(files, 'path', path, 'file')
      const previous_mode = file.mode
      if (previous_mode === mode) refuse(`File ${path} has these rights already.`)
      file.mode = mode
      return { previous_mode }
    },
  ),
  tool<FilesData, { path: string; folder: string }>(
    {
      name: 'cp',
      description: 'Copy a file into a folder.',
      kind: 'update',
      after: ['append', 'chmod'],
      inputSchema: record({ path: pathOf, folder: folderOf }),
      outputSchema: record({ copied_to: pathOf }),
    },
    (database, { path, folder }) => {
      const file = the(database.files, 'path', path, 'file')
      the(database.folders, 'folder', folder, 'folder')
      const copy = free(database, `${folder}/${name(path)}`)
      database.files.push({ ...file, path: copy })
      return { copied_to: copy }
    },
  ),
  tool<FilesData, { path: string }>(
    {
      name: 'rm',
      description: 'Move a file to the trash.',
      kind: 'update',
      after: ['cp'],
      inputSchema: record({ path: pathOf }),
      outputSchema: record({ trash_id: text('Identifier in the trash.') }),
    },
    (database, { path }, { newId }) => {
      const file = the(database.files, 'path', path, 'file')
      const trash_id = newId('trash')
      database.files = database.files.filter((one) => one !== file)
      database.trash.push({ trash_id, file })
      return { trash_id }
    },
  ),
  tool<FilesData, { trash_id: string }>(
    {
      name: 'restore',
      description: 'Bring a file back from the trash.',
      kind: 'update',
      inputSchema: record({ trash_id: text('Identifier in the trash.') }),
      outputSchema: record({ restored_to: pathOf }),
    },
    (database, { trash_id }) => {
      const { file } = the(database.trash, 'trash_id', trash_id, 'file in the trash with the identifier')
      free(database, file.path)
      database.trash = database.trash.filter((one) => one.trash_id !== trash_id)
      database.files.push(file)
      return { restored_to: file.path }
    },
  ),
]

export const files: EnvironmentSource = {
  name: 'file-system',
  description: 'A file system with folders, files and a trash can.',
  database: filesData,
  tools: [...filesQueries, ...filesUpdates],
}
