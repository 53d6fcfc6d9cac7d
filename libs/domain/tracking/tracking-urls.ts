import { TrackingTokenService } from './tracking-token.service';

/** Paths of the URLs in an email, below the public address and outside `/v1`; a token follows. */
export const TRACKING_PATHS = {
  open: '/t/o/',
  click: '/t/c/',
  honeypot: '/t/h/',
  unsubscribe: '/u/',
  /** Not in emails: proves that a tracking host resolves to this installation. */
  proof: '/t/v/',
} as const;

/** The pixel's URL has the extension of its image. */
export const PIXEL_EXTENSION = '.gif';

/** The URLs in an email: ASCII, without characters that need escaping in HTML. */
export class TrackingUrls {
  /** Host and port. */
  readonly host: string;
  private readonly base: string;

  /** @param publicUrl address of the API; one-click unsubscribe (RFC 8058) requires https */
  constructor(
    private readonly tokens: TrackingTokenService,
    publicUrl: string,
  ) {
    const url = new URL(publicUrl);
    this.host = url.host;
    this.base = url.origin + url.pathname.replace(/\/+$/, '');
  }

  open(sendId: string): string {
    return this.base + TRACKING_PATHS.open + this.tokens.open(sendId) + PIXEL_EXTENSION;
  }

  /** @param link number of the link in the email, from 0 */
  click(sendId: string, link: number): string {
    return this.base + TRACKING_PATHS.click + this.tokens.click(sendId, link);
  }

  /** URL of the invisible link: any client that follows it is a machine. */
  honeypot(sendId: string): string {
    return this.base + TRACKING_PATHS.honeypot + this.tokens.honeypot(sendId);
  }

  unsubscribe(sendId: string): string {
    return this.base + TRACKING_PATHS.unsubscribe + this.tokens.unsubscribe(sendId);
  }
}
