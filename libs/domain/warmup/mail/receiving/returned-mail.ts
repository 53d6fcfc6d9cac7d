import { type ClaimableMail } from '@domain/inbox';
import { WARMUP_HEADER } from '../../warmup-header.service';

type Classified = ClaimableMail['judged'];

/** What a server, or the provider of a reader, says about a mail. */
export type Report = Extract<Classified, { kind: 'bounce' | 'delayed' | 'complaint' }>;

export function isReport(judged: Classified): judged is Report {
  return judged.kind === 'bounce' || judged.kind === 'delayed' || judged.kind === 'complaint';
}

/** A value may stand on the line after the name (RFC 5322, section 2.2.3), and servers indent what they quote. */
const HEADER = new RegExp(`^[> \\t]*${WARMUP_HEADER}:\\s*([^\\s]{1,200})\\s*$`, 'gim');

/** Values of the header in what reports give back: they name the mail even where its Message-ID was changed on the way. */
export function listReturnedTokens(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [...text.matchAll(HEADER)].flatMap(([, token]) => token ?? []));
}
