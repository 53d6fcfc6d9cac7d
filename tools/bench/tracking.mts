import 'reflect-metadata';
import mongoose from 'mongoose';
import { loadBuilt } from './built.mts';
import type { Fixture } from './fixture.mts';
import { interleave, type Sample } from './load.mts';
import { type Goal, heading, showGoals, showSamples } from './report.mts';
import { ratio } from './statistics.mts';
import type { Stage } from './subjects.mts';

const { ObjectId } = mongoose.mongo;
const API = 'dist/apps/api/src/main.js';
const EMAILS = 5_000;
const HOUR_MS = 3_600_000;
const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';

interface Urls {
  open(sendId: string): string;
  click(sendId: string, link: number): string;
}
interface Built {
  KeyRing: { parse(text: string): unknown };
  TokenSignerService: new (keys: unknown) => unknown;
  TrackingTokenService: new (signer: unknown) => unknown;
  TrackingUrls: new (tokens: unknown, publicUrl: string) => Urls;
}

/** Requests pixels and links of many emails, each request for another email, compared with one bare write on the same database. */
export async function tracking({ fixture, large, rounds, seconds }: Stage): Promise<Goal[]> {
  heading('Tracking: the pixel and the links, against one write by primary key with the bare driver on node:http');
  const ids = await writeSends(fixture, large.workspaceId);
  const urls = createUrls(fixture);
  const pathOf = (url: string) => new URL(url).pathname;
  const [server, bare] = [
    await fixture.api(API),
    await fixture.program('tools/bench/bare-hits.mts', [], { MONGODB_URI: fixture.mongodbUri }),
  ];
  const headers = { 'user-agent': AGENT };
  const samples = await interleave(
    {
      bare: { server: bare, headers, path: '/', paths: ids.map((id) => `/${id}`) },
      open: { server, headers, path: '/', paths: ids.map((id) => pathOf(urls.open(id))) },
      click: { server, headers, path: '/', paths: ids.map((id) => pathOf(urls.click(id, 0))), answers: '3xx' },
    },
    { rounds, seconds },
  );
  await Promise.all([server.stop(), bare.stop()]);
  showSamples('one bare write', samples.bare);
  showSamples('pixel', samples.open);
  showSamples('link', samples.click);
  console.log(
    '  The platform also checks the signature, reads the email, sets the security headers, logs and measures.',
  );
  const goal = (what: string, subject: Sample[]): Goal => {
    return { what, value: ratio('requestsPerSecond', subject, samples.bare), bound: { atLeast: 0.5 } };
  };
  return showGoals([
    goal('requests/s of the pixel / bare write', samples.open),
    goal('requests/s of a link / bare write', samples.click),
  ]);
}

/** Creates emails that were sent an hour ago; returns their ids. */
async function writeSends(fixture: Fixture, workspace: string): Promise<string[]> {
  const at = new Date(Date.now() - HOUR_MS);
  const sends = Array.from({ length: EMAILS }, (_, index) => ({
    _id: new ObjectId(),
    workspaceId: new ObjectId(workspace),
    campaignId: new ObjectId(),
    leadId: new ObjectId(),
    stepId: new ObjectId(),
    variantId: new ObjectId(),
    mailboxId: new ObjectId(),
    email: `lead-${index}@people.test`,
    state: 'sent',
    stepOrder: 0,
    links: ['https://example.com/offer?a=1', 'https://example.com/about'],
    messageId: `<${index}@example.com>`,
    sentAt: at,
    createdAt: at,
  }));
  await fixture.database.collection('sends').insertMany(sends);
  return sends.map(({ _id }) => _id.toHexString());
}

/** In the form and with the keys of the platform. */
function createUrls({ secretKeys }: Fixture): Urls {
  const { KeyRing, TokenSignerService, TrackingTokenService, TrackingUrls } = loadBuilt<Built>(
    'KeyRing',
    'TokenSignerService',
    'TrackingTokenService',
    'TrackingUrls',
  );
  const tokens = new TrackingTokenService(new TokenSignerService(KeyRing.parse(secretKeys)));
  return new TrackingUrls(tokens, 'http://localhost');
}
