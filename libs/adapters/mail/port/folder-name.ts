import { type MailFolder } from './folder';
import { MailError } from './mail.errors';

/** Characters. Gmail takes 225 and most IMAP servers 255 bytes of what they store; each says so itself. */
const MAX_NAME = 255;

/**
 * The name of a folder at the top level, in the form in which servers keep it (Unicode NFC, RFC 5198).
 * @param separator what divides the levels of a path on the server (RFC 9051, section 5.1.1); null where nothing does
 * @throws MailError `permanent` for what cannot be the name of one folder
 */
export function folderName(given: string, separator: string | null): string {
  const name = given.normalize('NFC');
  if (name.trim() === '') throw refused('The name of a folder is empty');
  if (name !== name.trim()) throw refused('The name of a folder begins or ends with white space');
  if (name.length > MAX_NAME) throw refused(`The name of a folder is longer than ${MAX_NAME} characters`);
  // A line break would end the IMAP command that names the folder.
  if (!name.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw refused('The name of a folder holds characters that are no writing');
  }
  if (separator !== null && separator !== '' && name.includes(separator)) {
    throw refused(`The name of a folder holds "${separator}", which divides folders from those below them here`);
  }
  return name;
}

/** The folder of that name; one whose name differs in case alone if there is no other, for few servers keep both. */
export function folderNamed<F extends Pick<MailFolder, 'name'>>(folders: readonly F[], name: string): F | undefined {
  const exactly = folders.find((folder) => folder.name.normalize('NFC') === name);
  return exactly ?? folders.find((folder) => comparable(folder.name) === comparable(name));
}

function comparable(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function refused(message: string): MailError {
  return new MailError({ failure: 'permanent', stage: 'request', message });
}
