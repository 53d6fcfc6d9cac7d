/**
 * The denominator of the tracking benchmark: one durable write by primary key for each request, as large as a hit of the
 * platform, and a pixel. No token, no read of the email, no verdict, no headers, no log.
 */
import { createServer } from 'node:http';
import mongoose from 'mongoose';

const { MONGODB_URI = '', PORT = '0' } = process.env;
const BUCKET_MS = 10_000;
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const client = await mongoose.mongo.MongoClient.connect(MONGODB_URI, { maxPoolSize: 50 });
const hits = client.db().collection<{ _id: string; count: number }>('bare_hits');

async function store(path: string, userAgent: string | undefined): Promise<void> {
  const now = new Date();
  const _id = `${path} ${Math.floor(now.getTime() / BUCKET_MS)}`;
  const $setOnInsert = { userAgent, network: '127.0.0.0/24', kind: 'open', head: false, ahead: false, firstAt: now };
  await hits.updateOne({ _id }, { $setOnInsert, $inc: { count: 1 }, $max: { lastAt: now } }, { upsert: true });
}

const server = createServer((request, response) => {
  const { url = '/', headers } = request;
  (url === '/' ? Promise.resolve() : store(url, headers['user-agent'])).then(
    () => response.setHeader('content-type', 'image/gif').end(PIXEL),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
