import { MAX_BLOCKS, MAX_HEADER, MAX_SECTION, type SlackBlock } from '../slack/slack-text';

/** Limits beyond which Slack refuses a message. Text above 4 000 characters is truncated instead. */
const MAX_TEXT = 40_000;
const MAX_ELEMENTS = 10;

/** Returns the code with which Slack refuses a message; null when it accepts it. Pure. */
export function getMessageFault(text: string, blocks: readonly SlackBlock[]): string | null {
  if (text.trim() === '' && blocks.length === 0) return 'no_text';
  if (text.length > MAX_TEXT) return 'msg_too_long';
  return blocks.length > MAX_BLOCKS || !blocks.every(isValid) ? 'invalid_blocks' : null;
}

function isValid(block: SlackBlock): boolean {
  switch (block.type) {
    case 'header':
      return isWithin(block.text.text, MAX_HEADER);
    case 'section':
      return isWithin(block.text.text, MAX_SECTION) && isWhole(block.text.text);
    case 'context':
      return (
        block.elements.length > 0 &&
        block.elements.length <= MAX_ELEMENTS &&
        block.elements.every(({ text }) => isWithin(text, MAX_SECTION) && isWhole(text))
      );
  }
}

function isWithin(text: string, most: number): boolean {
  return text !== '' && text.length <= most;
}

/** Slack shows an ampersand without an entity as it is; here it reveals text that was not escaped or was cut inside an entity. */
function isWhole(text: string): boolean {
  return !/&(?!amp;|lt;|gt;)/.test(text) && !/<(?!https?:\/\/[^<>|\s]+\|[^<>]+>)/.test(text);
}
