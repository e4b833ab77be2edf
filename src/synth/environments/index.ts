/**
 * The environments that come with the library: small worlds of different domains and styles.
 */
import type { EnvironmentSource } from '../types.js'
import { bank } from './bank.js'
import { calendar } from './calendar.js'
import { files } from './files.js'
import { shop } from './shop.js'
import { tickets } from './tickets.js'
import { travel } from './travel.js'

/** All of them, by name. */
export const environments: readonly EnvironmentSource[] = [files, bank, shop, tickets, calendar, travel]
