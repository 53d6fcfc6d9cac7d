import { type AddressInfo } from 'node:net';
import { createOutreach, type Outreach, type OutreachOptions } from '@outreach/client';
import { type Platform } from './platform';

/** Address of the API of a platform. */
export function getOrigin({ app }: Pick<Platform, 'app'>): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** The typed client of the platform's API with a key. An error is an `ApiError` and is not retried. */
export function createClient(
  platform: Pick<Platform, 'app'>,
  apiKey: string,
  more: Partial<OutreachOptions> = {},
): Outreach {
  return createOutreach({ baseUrl: getOrigin(platform), apiKey, retries: 0, ...more });
}
