import { type Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/**
 * A stream as a download. When it fails on the way the connection is cut: an answer that just ended would look complete.
 * @param name ASCII, without quotes
 */
export function fileOf(stream: Readable, type: string, name: string): StreamableFile {
  const file = new StreamableFile(stream, { type, disposition: `attachment; filename="${name}"` });
  return file.setErrorHandler((_error, response) => response.destroy?.());
}
