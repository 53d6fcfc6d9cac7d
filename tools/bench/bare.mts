/**
 * The denominator of the list benchmark: the two queries that the contract of a list requires (a page, and the total
 * unless the page shows it), one JSON.stringify, nothing else. No key, no limit, no cursor, no
 * validation, no security headers, no log.
 */
import { createServer } from 'node:http';
import mongoose from 'mongoose';

const { MONGODB_URI = '', PORT = '0' } = process.env;
const LIMIT = 100;
const client = await mongoose.mongo.MongoClient.connect(MONGODB_URI, { maxPoolSize: 50 });
const entries = client.db().collection('audit_entries');

async function list(workspace: string): Promise<string> {
  const filter = { workspaceId: new mongoose.mongo.ObjectId(workspace) };
  const found = await entries
    .find(filter)
    .sort({ createdAt: -1, _id: -1 })
    .limit(LIMIT + 1)
    .toArray();
  const hasMore = found.length > LIMIT;
  // In sequence, as in the platform: after reading all records no count is needed.
  const total = hasMore ? await entries.countDocuments(filter) : found.length;
  const data = hasMore ? found.slice(0, LIMIT) : found;
  return JSON.stringify({ success: true, data, pagination: { limit: LIMIT, total, hasMore } });
}

const server = createServer((request, response) => {
  const workspace = new URL(request.url ?? '/', 'http://localhost').searchParams.get('workspace');
  (workspace === null ? Promise.resolve('ready') : list(workspace)).then(
    (body) => response.setHeader('content-type', 'application/json').end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
