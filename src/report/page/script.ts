/**
 * The page's own script: plain JavaScript that browsers run as it is. ASCII only, so that its hash is that of its text.
 */
import { callsScript } from './calls.js'
import { domScript } from './dom.js'
import { heatScript } from './heat.js'
import { listScript } from './list.js'
import { rolloutScript } from './rollout.js'

export const pageScript: string = `'use strict';(() => {${[
  domScript,
  listScript,
  callsScript,
  heatScript,
  rolloutScript,
].join('')}
startList()
if (data.details.length > 0) openGroup(0, true)
})()
`
