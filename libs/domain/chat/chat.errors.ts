import { AppError, defineError } from '@platform/errors';

const NOT_CONNECTED = defineError(
  'CHAT_NOT_CONNECTED',
  'conflict',
  'The workspace has no connected chat, or no channel was chosen in it.',
  'needs-human',
);

export function chatNotConnected(message: string): AppError {
  return new AppError(NOT_CONNECTED, message);
}
