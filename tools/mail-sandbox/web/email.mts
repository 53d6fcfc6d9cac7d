import PostalMime, { type Email } from 'postal-mime';

const DEEPEST = 50;
const LARGEST_SOURCE = 500_000;

/** A message as its reader sees it. One that cannot be read as MIME (nested too deep) is its own source, as text. */
export async function readEmail(raw: Buffer): Promise<Email> {
  try {
    return await PostalMime.parse(raw, { maxNestingDepth: DEEPEST });
  } catch {
    return { headers: [], headerLines: [], attachments: [], text: raw.subarray(0, LARGEST_SOURCE).toString() };
  }
}
