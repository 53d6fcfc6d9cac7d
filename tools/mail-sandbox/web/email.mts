import PostalMime, { type Email } from 'postal-mime';

const DEEPEST = 50;
const LARGEST_SOURCE = 500_000;

/** A message as its reader sees it. Without readable MIME (nested too deeply), its source is shown as text. */
export async function readEmail(raw: Buffer): Promise<Email> {
  try {
    return await PostalMime.parse(raw, { maxNestingDepth: DEEPEST });
  } catch {
    return { headers: [], headerLines: [], attachments: [], text: raw.subarray(0, LARGEST_SOURCE).toString() };
  }
}
