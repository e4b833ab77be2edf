/**
 * What of a rendered message the assistant wrote, and whether it is what the log says.
 *
 *     [empty think block]  [<think> reasoning </think>]  content  calls  <end>  rest
 *      the template's       0            reasoningEnd             bodyEnd  end
 *
 * Everything that the log has of the message must stand in the text, in order and to the letter. Nothing is looked for
 * by its header: the text is what the template added behind the prompt.
 */
import { fail, show } from '../errors.js'
import type { TemplateMessage } from './template-messages.js'

/** How a template ends a message of the assistant, from rendering a message that is known. */
export interface MessageTail {
  /** What follows the content: `<|im_end|>\n`. */
  readonly text: string
  /** Characters of it that the model writes: up to the end of the first added token. 0 where there is none. */
  readonly end: number
  /** White space between an empty think block and a content; undefined where the template puts no such block in. */
  readonly separator: number | undefined
}

/** Positions in the text that the template added for a message. */
export interface WrittenText {
  /** Where the assistant's own text starts: behind a think block that the template put in. */
  readonly start: number
  /** Where the reasoning ends and the content starts; `start` where there is none. */
  readonly reasoningEnd: number
  /** Behind content and calls; of a message that was cut off, behind the last byte that the log has. */
  readonly bodyEnd: number
  /** Behind the token that ends the message; `bodyEnd` where it was cut off. */
  readonly end: number
}

export interface WrittenRules {
  /** Tags around reasoning. */
  readonly reasoningTags: readonly [open: string, close: string]
  /** Whether the text of arguments must be to the letter, or may differ in white space between JSON tokens. */
  readonly argumentsText: 'exact' | 'spacing'
}

const leadingSpace = (text: string, from: number): number => {
  let at = from
  while (at < text.length && /\s/.test(text[at]!)) at++
  return at - from
}

const withoutNewlines = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && text[start] === '\n') start++
  while (end > start && text[end - 1] === '\n') end--
  return text.slice(start, end)
}

/** JSON text without the white space between its tokens. */
export function withoutSpacing(text: string): string {
  let kept = ''
  let from = 0
  let inString = false
  for (let k = 0; k < text.length; k++) {
    const char = text[k]!
    if (char === '"') inString = !inString
    else if (inString && char === '\\') k++
    else if (!inString && (char === ' ' || char === '\n' || char === '\r' || char === '\t')) {
      kept += text.slice(from, k)
      from = k + 1
    }
  }
  return kept + text.slice(from)
}

/** A piece of the text around a position, for errors. */
const around = (text: string, at: number): string => show(text.slice(at, at + 50))

/** Where the reasoning that the log has ends in the text; the open tag may stand in the prompt already. */
function endOfReasoning(
  body: string,
  prompt: string,
  { place, reasoning }: TemplateMessage,
  [open, close]: WrittenRules['reasoningTags'],
): { readonly textEnd: number; readonly blockEnd: number } {
  const refuse = (found: string): never =>
    fail('MISMATCH', `${place}.reasoning_content`, 'text that the chat template writes as it is', found)
  const isOpen = prompt.trimEnd().endsWith(open)
  if (!isOpen && !body.startsWith(open)) return refuse(`one that it leaves out: ${around(body, 0)}`)
  const innerStart = isOpen ? 0 : open.length
  const wanted = withoutNewlines(reasoning)
  const at = innerStart + leadingSpace(body, innerStart) - leadingSpace(wanted, 0)
  if (at < innerStart || !body.startsWith(wanted, at)) return refuse(around(body, innerStart))
  const closeAt = at + wanted.length + leadingSpace(body, at + wanted.length)
  if (!body.startsWith(close, closeAt)) return refuse(around(body, at))
  if (!isOpen && !body.slice(innerStart, closeAt).includes(reasoning)) return refuse(around(body, innerStart))
  return { textEnd: at + wanted.length, blockEnd: closeAt + close.length }
}

/** Where a think block without a word ends that the template put in; 0 where there is none. */
function endOfEmptyBlock(body: string, [open, close]: WrittenRules['reasoningTags']): number {
  if (!body.startsWith(open)) return 0
  const closeAt = open.length + leadingSpace(body, open.length)
  return body.startsWith(close, closeAt) ? closeAt + close.length : 0
}

/** Where reasoning ends that stands in the content itself; 0 where there is none. */
function endOfOwnBlock(content: string, [open, close]: WrittenRules['reasoningTags']): number {
  if (!content.startsWith(open)) return 0
  const at = content.indexOf(close)
  if (at < 0) return 0
  const end = at + close.length
  return end + leadingSpace(content, end)
}

/** Checks that the calls stand in the text behind the content, in order.
 * @returns where the last of them ends in the text, white space left out under `spacing`
 */
function checkCalls(calls: string, message: TemplateMessage, rule: WrittenRules['argumentsText']): number {
  const isExact = rule === 'exact'
  const text = isExact ? calls : withoutSpacing(calls)
  let at = 0
  for (const call of message.calls) {
    const nameAt = text.indexOf(isExact ? call.name : withoutSpacing(call.name), at)
    const wanted = call.text === undefined ? '' : isExact ? call.text : withoutSpacing(call.text)
    const argumentsAt = nameAt < 0 ? -1 : text.indexOf(wanted, nameAt + call.name.length)
    if (argumentsAt < 0)
      fail(
        'MISMATCH',
        call.place,
        isExact
          ? 'text that the chat template writes as it is ("spacing" allows other white space)'
          : 'text that the chat template writes as it is but for white space',
        `${show(call.text)}, which it writes in ${around(calls, 0)}`,
      )
    at = argumentsAt + wanted.length
  }
  return at
}

/** Whether the newlines that a content begins with stand in the text: all white space behind the block is the
 * content's, or the template put its own in front. Content without any leaves the question open: yes. */
function keepsSpace(
  content: string,
  space: number,
  hasReasoning: boolean,
  { separator }: MessageTail,
): boolean {
  const own = leadingSpace(content, 0)
  return own === 0 || space === separator || (hasReasoning && space === 0)
}

/** Finds what the assistant wrote in the text that the template added for its message.
 * @param prompt - the text before, with the header of the message
 * @param text - what was added: from the end of the prompt to the end of the message
 * @param isCut - whether a limit cut the message off: what the template writes to close reasoning or a call that is
 *   open then is not the assistant's
 * @throws TaraError `MISMATCH` where the text is not what the log says, with the path of the field
 */
export function writtenText(
  prompt: string,
  text: string,
  message: TemplateMessage,
  tail: MessageTail,
  rules: WrittenRules,
  isCut = false,
): WrittenText {
  const { place, content, reasoning } = message
  if (!text.endsWith(tail.text))
    fail(
      'MISMATCH',
      place,
      `a message that the chat template ends with ${show(tail.text)}`,
      show(text.slice(-50)),
    )
  let bodyEnd = text.length - tail.text.length
  const body = text.slice(0, bodyEnd)
  const hasReasoning = reasoning.trim() !== ''
  const ownBlock = hasReasoning ? 0 : endOfOwnBlock(content, rules.reasoningTags)
  const reasoned = hasReasoning ? endOfReasoning(body, prompt, message, rules.reasoningTags) : undefined
  const blockEnd = reasoned
    ? reasoned.blockEnd
    : ownBlock > 0
      ? 0
      : endOfEmptyBlock(body, rules.reasoningTags)
  // Newlines between the block and the content may be those that the content begins with.
  const space = blockEnd === 0 ? 0 : leadingSpace(body, blockEnd) - leadingSpace(content, 0)
  const contentAt = blockEnd + space
  const isKept = blockEnd === 0 || keepsSpace(content, space, hasReasoning, tail)
  if (space < 0 || !isKept || !body.startsWith(content, contentAt))
    fail(
      'MISMATCH',
      `${place}.content`,
      'text that the chat template writes as it is',
      isKept
        ? `${show(content)}, which it writes as ${around(body, blockEnd)}`
        : `${show(content)}, of which it leaves out newlines at the start`,
    )
  const contentEnd = contentAt + content.length
  if (message.calls.length > 0) {
    const isOpen = isCut && message.calls.at(-1)!.isOpen
    const end = checkCalls(body.slice(contentEnd), message, isOpen ? 'exact' : rules.argumentsText)
    if (isOpen) bodyEnd = contentEnd + end
  } else if (contentEnd !== bodyEnd)
    fail(
      'MISMATCH',
      `${place}.content`,
      'text that the chat template writes as it is',
      `${around(body, contentEnd)} behind it`,
    )
  else if (isCut && reasoned !== undefined && content === '') bodyEnd = reasoned.textEnd
  const start = hasReasoning ? 0 : contentAt
  return {
    start,
    reasoningEnd: Math.min(hasReasoning ? contentAt : start + ownBlock, bodyEnd),
    bodyEnd,
    end: isCut ? bodyEnd : bodyEnd + tail.end,
  }
}
