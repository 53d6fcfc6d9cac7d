import { type ClaimableMail } from '@domain/inbox';
import { WARMUP_HEADER } from '../../warmup-header.service';

type Classified = ClaimableMail['classified'];

/** A report of a server or a reader's provider about a mail. */
export type Report = Extract<Classified, { kind: 'bounce' | 'delayed' | 'complaint' }>;

export function isReport(classified: Classified): classified is Report {
  return classified.kind === 'bounce' || classified.kind === 'delayed' || classified.kind === 'complaint';
}

/** A value may stand on the line after the name (RFC 5322, section 2.2.3), and servers indent quoted text. */
const HEADER = new RegExp(`^[> \\t]*${WARMUP_HEADER}:\\s*([^\\s]{1,200})\\s*$`, 'gim');

/** Returns header values in returned text: they identify the mail even after a change of its Message-ID. */
export function listReturnedTokens(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [...text.matchAll(HEADER)].flatMap(([, token]) => token ?? []));
}
