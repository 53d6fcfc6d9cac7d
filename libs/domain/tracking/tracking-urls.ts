import { TrackingTokenService } from './tracking-token.service';

/** Where the URLs of an email lead, below the public address and outside of `/v1`; a token follows. */
export const TRACKING_PATHS = {
  open: '/t/o/',
  click: '/t/c/',
  honeypot: '/t/h/',
  unsubscribe: '/u/',
  /** Not in emails: by it a host shows that it leads here. */
  proof: '/t/v/',
} as const;

/** The URL of the pixel ends like the image that it is. */
export const PIXEL_EXTENSION = '.gif';

/** The URLs that are written into an email. All of them are ASCII without characters that HTML would have to escape. */
export class TrackingUrls {
  /** With its port. */
  readonly host: string;
  private readonly base: string;

  /** @param publicUrl address of the API; one-click unsubscribing (RFC 8058) asks for https */
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

  /** Of the link that no person sees: who follows it is a machine. */
  honeypot(sendId: string): string {
    return this.base + TRACKING_PATHS.honeypot + this.tokens.honeypot(sendId);
  }

  unsubscribe(sendId: string): string {
    return this.base + TRACKING_PATHS.unsubscribe + this.tokens.unsubscribe(sendId);
  }
}
