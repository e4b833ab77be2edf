/**
 * TARA on tensors, and the loss of a tfjs trainer (`tara-rl/tfjs`). Needs tfjs, which is not loaded before it is asked for.
 */
export { AUTO_CELLS, type BatchOptions, type BatchRun, batchDefaults, taraOnTensors } from './batch.js'
export type { FusedParts } from './groups.js'
export { type LoadedTfjs, type LoadTfjsOptions, loadTfjs, type TfjsName } from './load.js'
export { type LossInput, type LossOptions, lossDefaults, policyLoss } from './loss.js'
export type { Scalar, Tensor, Tf } from './ops.js'
export { type TensorGate, type TensorOptions, tensorDefaults } from './options.js'
export { type TensorParts, taraTensors } from './tensors.js'
export { type TokenTurns, tokenTensor, tokenTurns } from './tokens.js'
