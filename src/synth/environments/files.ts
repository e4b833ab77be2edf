/**
 * A file system of a small team: short commands on paths.
 */
import type { EnvironmentSource } from '../types.js'
import { choice, listOf, record, refuse, text, the, tool, whole } from './define.js'

type File = { path: string; content: string; owner: string; mode: string }

type FilesData = {
  folders: { folder: string; description: string }[]
  files: File[]
  trash: { trash_id: string; file: File }[]
}

const filesData: FilesData = {
  folders: [
    { folder: '/people/nora', description: 'Notes of Nora' },
    { folder: '/projects/atlas', description: 'Maps for the web site' },
    { folder: '/projects/beacon', description: 'Field sensors' },
    { folder: '/shared/reports', description: 'Monthly reports' },
  ],
  files: [
    {
      path: '/people/nora/todo.txt',
      content: 'order batteries\ncall the harbor office\nreview beacon budget',
      owner: 'nora',
      mode: 'rw-------',
    },
    {
      path: '/people/nora/reading.md',
      content: '# Reading\n- tides and currents\n- budget guide',
      owner: 'nora',
      mode: 'rw-r--r--',
    },
    {
      path: '/projects/atlas/tiles.json',
      content: '{"zoom":12,"style":"harbor"}',
      owner: 'sam',
      mode: 'rw-rw-r--',
    },
    {
      path: '/projects/atlas/README.md',
      content: '# Atlas\nDraws the harbor map.\nOwner: sam',
      owner: 'sam',
      mode: 'rw-rw-r--',
    },
    {
      path: '/projects/beacon/sensors.csv',
      content: 'id,place,budget\n1,harbor,120\n2,pier,95',
      owner: 'ivo',
      mode: 'rw-r--r--',
    },
    {
      path: '/projects/beacon/notes.md',
      content: '# Beacon\nbatteries last 40 days',
      owner: 'ivo',
      mode: 'rw-r--r--',
    },
    {
      path: '/shared/reports/may.md',
      content: '# May\nharbor traffic up\nbudget on plan',
      owner: 'nora',
      mode: 'r--r--r--',
    },
    {
      path: '/shared/reports/june.md',
      content: '# June\nharbor traffic level\nbatteries replaced',
      owner: 'sam',
      mode: 'rw-rw-r--',
    },
  ],
  trash: [
    {
      trash_id: 'trash-old1',
      file: {
        path: '/projects/beacon/draft.md',
        content: '# Draft\nplaces for new sensors',
        owner: 'ivo',
        mode: 'rw-r--r--',
      },
    },
    {
      trash_id: 'trash-old2',
      file: { path: '/people/nora/party.txt', content: 'cake\nlanterns', owner: 'nora', mode: 'rw-------' },
    },
    {
      trash_id: 'trash-old3',
      file: {
        path: '/shared/reports/april.md',
        content: '# April\nbudget cut by a tenth',
        owner: 'nora',
        mode: 'r--r--r--',
      },
    },
  ],
}

const pathOf = text('Full path of the file.')
const folderOf = text('Full path of the folder.')
const name = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const parent = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** The files of a folder that exists. */
function filesIn({ folders, files }: FilesData, folder: string): File[] {
  the(folders, 'folder', folder, 'folder')
  return files.filter(({ path }) => parent(path) === folder)
}

/** Refuses to write over a file. */
function free({ files }: FilesData, path: string): string {
  return files.some((one) => one.path === path) ? refuse(`There is a file ${path} already.`) : path
}

export const files: EnvironmentSource = {
  name: 'file-system',
  description: 'A file system with folders, files and a trash can.',
  database: filesData,
  tools: [
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
  ],
}
