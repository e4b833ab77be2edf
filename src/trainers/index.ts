/**
 * Arrays for trainers: a batch with its tokens and advantages in, one table out. Runs anywhere; imports no package.
 */
export { toAtropos } from './atropos.js'
export type { RolloutName, TrainerInput } from './input.js'
export { type ExportOptions, exportDefaults, type PaddedOptions, paddedDefaults } from './options.js'
export { toPrimeRl } from './prime-rl.js'
export { toRllm } from './rllm.js'
export type { Column, DenseColumn, ListColumn, Numbers, Table, TextColumn } from './table.js'
export { toTinker } from './tinker.js'
export { type TrainerInfo, type TrainerName, trainers } from './trainers.js'
export { toTrl } from './trl.js'
export { type TurnsInput, type TurnsOptions, toTurns, turnsDefaults } from './turns.js'
export { toVerl } from './verl.js'
