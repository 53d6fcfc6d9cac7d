import { type Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/**
 * A stream as a download. If it fails midway, the connection is closed: a response that ended normally would look
 * complete.
 * @param name a safe file name, in any script
 */
export function getFile(stream: Readable, type: string, name: string): StreamableFile {
  const file = new StreamableFile(stream, { type, disposition: getDisposition(name) });
  return file.setErrorHandler((_error, response) => response.destroy?.());
}

/** RFC 6266: an ASCII name for older clients, and the exact name (RFC 8187) where the two differ. */
export function getDisposition(name: string): string {
  const ascii = name.replaceAll(/[^ -~]|["\\%]/gu, '_');
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeName(name)}`;
}

function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
