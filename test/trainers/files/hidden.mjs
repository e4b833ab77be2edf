/**
 * Hides the packages that are optional, as if they had not been installed: `node --import ./hidden.mjs`.
 */
import { register } from 'node:module'

const optional = [
  'apache-arrow',
  'hyparquet-writer',
  'hyparquet',
  '@huggingface/',
  '@tensorflow/',
  'ajv',
  'zod',
]

const hooks = `
  export async function resolve(name, context, next) {
    if (!${JSON.stringify(optional)}.some((hidden) => name.startsWith(hidden))) return next(name, context)
    throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' })
  }`

register(`data:text/javascript,${encodeURIComponent(hooks)}`)
