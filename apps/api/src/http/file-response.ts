import { type Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/**
 * A stream as a download. When it fails on the way the connection is cut: an answer that just ended would look complete.
 * @param name one that is safe to save under, in whatever script
 */
export function getFile(stream: Readable, type: string, name: string): StreamableFile {
  const file = new StreamableFile(stream, { type, disposition: getDisposition(name) });
  return file.setErrorHandler((_error, response) => response.destroy?.());
}

/** RFC 6266: the name in ASCII for those who know no better, and as it is (RFC 8187) where the two differ. */
export function getDisposition(name: string): string {
  const ascii = name.replaceAll(/[^ -~]|["\\%]/gu, '_');
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encoded(name)}`;
}

function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
