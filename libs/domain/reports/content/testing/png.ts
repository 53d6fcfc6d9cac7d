import { inflateSync } from 'node:zlib';

/** Properties of a PNG that tests check. */
export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  /** Distinct colours of its pixels, as `#rrggbb`. */
  readonly colours: ReadonlySet<string>;
}

const SIGNATURE = '89504e470d0a1a0a';
const CHANNELS = 4;

/**
 * Decodes a PNG with eight bits per channel and transparency, the format of charts (RFC 2083).
 * @throws for other formats
 */
export function decodePng(png: Buffer): DecodedPng {
  if (png.subarray(0, 8).toString('hex') !== SIGNATURE) throw new Error('No PNG');
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  if (png.readUInt16BE(24) !== 0x08_06) throw new Error('Not RGBA with eight bits each');
  const pixels = removeFilters(inflateSync(getData(png)), width * CHANNELS, height);
  const seen = new Set<number>();
  for (let at = 0; at < pixels.length; at += CHANNELS) seen.add(pixels.readUInt32BE(at) >>> 8);
  const colours = new Set([...seen].map((colour) => `#${colour.toString(16).padStart(6, '0')}`));
  return { width, height, colours };
}

function getData(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return Buffer.concat(parts);
}

/** Each line begins with its filter type (RFC 2083, section 6). */
function removeFilters(data: Buffer, stride: number, height: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = data[row * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const left = x < CHANNELS ? 0 : (out[row * stride + x - CHANNELS] ?? 0);
      const up = row === 0 ? 0 : (out[(row - 1) * stride + x] ?? 0);
      const corner = row === 0 || x < CHANNELS ? 0 : (out[(row - 1) * stride + x - CHANNELS] ?? 0);
      const value = data[row * (stride + 1) + 1 + x] ?? 0;
      out[row * stride + x] = (value + getPrediction(filter, left, up, corner)) & 0xff;
    }
  }
  return out;
}

function getPrediction(filter: number, left: number, up: number, corner: number): number {
  if (filter === 4) return paeth(left, up, corner);
  if (filter === 3) return (left + up) >> 1;
  if (filter === 2) return up;
  return filter === 1 ? left : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
