/**
 * A program that serves the support desk over stdio, for the tests of the MCP client.
 */
import { openEnvironment } from '../../src/synth/environment.js'
import { tickets } from '../../src/synth/environments/tickets.js'
import { serveStdio } from '../../src/synth/mcp-server.js'

serveStdio(openEnvironment(tickets, { seed: 3 }))
