import { type AddressInfo } from 'node:net';
import { createOutreach, type Outreach, type OutreachOptions } from '@outreach/client';
import { type Platform } from './platform';

/** Where the API of a platform listens. */
export function getOrigin({ app }: Pick<Platform, 'app'>): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** The platform's API as the holder of a key has it, typed. A refusal is an `ApiError`, and is not tried again. */
export function createClient(
  platform: Pick<Platform, 'app'>,
  apiKey: string,
  more: Partial<OutreachOptions> = {},
): Outreach {
  return createOutreach({ baseUrl: getOrigin(platform), apiKey, retries: 0, ...more });
}
