/**
 * How much memory a process has held at most.
 */

/** Source of `peakOf`, for a child: bytes. `maxRSS` would count what its parent held when it was made; Linux says it
 * without that.
 */
export const peakSource = `
  import { readFileSync } from 'node:fs'
  function peakOf() {
    try {
      return 1024 * Number(/^VmHWM:\\s*(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1])
    } catch {
      return 1024 * process.resourceUsage().maxRSS
    }
  }`
