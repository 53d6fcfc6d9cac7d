import { TrackingTokenService } from '@domain/tracking';
import { type Types } from 'mongoose';
import { type Platform } from '../harness';

/** A sent email, with the tokens of its links. */
export interface Sent {
  _id: string;
  leadId: string;
  email: string;
  open: string;
  clicks: string[];
  honeypot: string;
  unsubscribe: string;
}

export interface Sending {
  /** Default: a new lead. */
  leadId?: string;
  email?: string;
  links?: string[];
  [field: string]: unknown;
}

export type Tokens = Omit<Sent, 'leadId' | 'email'>;

/** The paths of an email’s pixel, links, honeypot and unsubscribe page. */
export function createTokens({ app }: Platform, _id: string, links: number): Tokens {
  const tokens = app.get(TrackingTokenService, { strict: false });
  return {
    _id,
    open: `/t/o/${tokens.open(_id)}.gif`,
    clicks: Array.from({ length: links }, (_, link) => `/t/c/${tokens.click(_id, link)}`),
    honeypot: `/t/h/${tokens.honeypot(_id)}`,
    unsubscribe: `/u/${tokens.unsubscribe(_id)}`,
  };
}

/** The domain is in A-labels, as in every Message-ID. */
export function toMessageId(_id: Types.ObjectId): string {
  return `<${_id.toHexString()}@xn--bro-hoa.test>`;
}
