import 'reflect-metadata';
import mongoose from 'mongoose';
import type { Serve } from './child.mts';
import { loadBuilt } from './harness.mts';
import { alternateLoad, type Goal, heading, ratio, showGoals, type Stage } from './measure.mts';

const { ObjectId } = mongoose.mongo;
const EMAILS = 5_000;
const HOUR_MS = 3_600_000;
const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';

/** Requests pixels and links of many emails, each request for another email, compared with one bare write. */
export async function tracking({ fixture, ...options }: Stage): Promise<Goal[]> {
  heading('Tracking: the pixel and the links, against one write by primary key with the bare driver on node:http');
  const at = new Date(Date.now() - HOUR_MS);
  const workspaceId = new ObjectId((await fixture.workspace('tracking')).workspaceId);
  const of = () => ({
    campaignId: new ObjectId(),
    leadId: new ObjectId(),
    stepId: new ObjectId(),
    mailboxId: new ObjectId(),
  });
  const sends = Array.from({ length: EMAILS }, (_, n) => {
    const links = ['https://example.com/offer?a=1', 'https://example.com/about'];
    const mail = { variantId: new ObjectId(), email: `lead-${n}@people.test`, messageId: `<${n}@example.com>`, links };
    return {
      _id: new ObjectId(),
      workspaceId,
      ...of(),
      ...mail,
      state: 'sent',
      stepOrder: 0,
      sentAt: at,
      createdAt: at,
    };
  });
  await fixture.database.collection('sends').insertMany(sends);
  const ids = sends.map(({ _id }) => _id.toHexString());
  const { KeyRing } = loadBuilt('libs/platform/secrets/key-ring');
  const { TokenSignerService } = loadBuilt('libs/platform/secrets/token-signer.service');
  const { TrackingTokenService } = loadBuilt('libs/domain/tracking/tracking-token.service');
  const { TrackingUrls } = loadBuilt('libs/domain/tracking/tracking-urls');
  const tokens = new TrackingTokenService(new TokenSignerService(KeyRing.parse(fixture.secretKeys)));
  const urls = new TrackingUrls(tokens, 'http://localhost');
  const toPath = (url: string) => new URL(url).pathname;
  const [server, bare] = [await fixture.app('api'), await fixture.child('tracking', 'serveWrite')];
  const headers = { 'user-agent': AGENT };
  const samples = await alternateLoad(options, {
    'one bare write': { server: bare, headers, paths: ids.map((id) => `/${id}`) },
    pixel: { server, headers, paths: ids.map((id) => toPath(urls.open(id))) },
    link: { server, headers, paths: ids.map((id) => toPath(urls.click(id, 0))), answers: '3xx' },
  });
  await Promise.all([server.stop(), bare.stop()]);
  return showGoals(
    (['pixel', 'link'] as const).map((kind) => {
      const value = ratio(samples[kind], samples['one bare write']);
      return { what: `requests/s of the ${kind} / bare write`, value, bound: { atLeast: 0.5 } };
    }),
  );
}

/** The denominator: one durable write by primary key, as large as a hit of the platform, and a pixel. */
export async function serveWrite(): Promise<Serve> {
  const client = new mongoose.mongo.MongoClient(process.env['MONGODB_URI'] ?? '', { maxPoolSize: 50 });
  const hits = client.db().collection<{ _id: string; count: number }>('bare_hits');
  const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  return async ({ pathname }, { headers }) => {
    const now = new Date();
    const _id = `${pathname} ${Math.floor(now.getTime() / 10_000)}`;
    const hit = { network: '127.0.0.0/24', kind: 'open', head: false, ahead: false, firstAt: now };
    const $setOnInsert = { userAgent: headers['user-agent'], ...hit };
    await hits.updateOne({ _id }, { $setOnInsert, $inc: { count: 1 }, $max: { lastAt: now } }, { upsert: true });
    return pixel;
  };
}
