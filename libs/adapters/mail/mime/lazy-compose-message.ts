import { type ComposedMessage } from '../port/send';
import { type MessageInput } from './compose-message';

/** `composeMessage` of compose-message.ts, which is loaded with nodemailer when the first message is composed. */
export function composeMessageLazily(input: MessageInput): Promise<ComposedMessage> {
  const mime = require('./compose-message') as typeof import('./compose-message');
  return mime.composeMessage(input);
}
