import { type MailFolder } from './folder';
import { MailError } from './mail.errors';

/** Characters. Gmail accepts 225 and most IMAP servers 255 bytes; a longer name is refused by the server. */
const MAX_NAME = 255;

/**
 * Returns the name of a top-level folder in the form that servers store (Unicode NFC, RFC 5198).
 * @param separator the hierarchy separator of the server (RFC 9051, section 5.1.1); null without one
 * @throws MailError `permanent` for an invalid name
 */
export function parseFolderName(input: string, separator: string | null): string {
  const name = input.normalize('NFC');
  if (name.trim() === '') throw createRefusal('The name of a folder is empty');
  if (name !== name.trim()) throw createRefusal('The name of a folder begins or ends with white space');
  if (name.length > MAX_NAME) throw createRefusal(`The name of a folder is longer than ${MAX_NAME} characters`);
  // A line break would end the IMAP command that names the folder.
  if (!name.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw createRefusal('The name of a folder contains control characters or line separators');
  }
  if (separator !== null && separator !== '' && name.includes(separator)) {
    throw createRefusal(`The name of a folder contains "${separator}", the hierarchy separator of this server`);
  }
  return name;
}

/** Finds a folder by name, without regard to case if no name matches exactly. */
export function findFolder<F extends Pick<MailFolder, 'name'>>(folders: readonly F[], name: string): F | undefined {
  const exactly = folders.find((folder) => folder.name.normalize('NFC') === name);
  return exactly ?? folders.find((folder) => toComparable(folder.name) === toComparable(name));
}

function toComparable(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function createRefusal(message: string): MailError {
  return new MailError({ failure: 'permanent', stage: 'request', message });
}
