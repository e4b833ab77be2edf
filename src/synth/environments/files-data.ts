/**
 * What the file system starts from.
 */

export type File = { path: string; content: string; owner: string; mode: string }

export type FilesData = {
  folders: { folder: string; description: string }[]
  files: File[]
  trash: { trash_id: string; file: File }[]
}

export const filesData: FilesData = {
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
