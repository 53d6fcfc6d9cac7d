/**
 * Receivers of webhooks: answers every POST with 204, except those under /hang. GET / returns for each path the number of
 * different and of repeated messages, and the delay of each from its event (milliseconds, by the body).
 */
import { createServer } from 'node:http';

const { PORT = '0' } = process.env;
const came = new Map<string, Map<string, number>>();
let again = 0;

createServer((request, response) => {
  const path = request.url ?? '/';
  if (request.method === 'GET') {
    const counts = Object.fromEntries([...came].map(([name, ids]) => [name, ids.size]));
    const waits = [...came].filter(([name]) => !name.startsWith('/hang')).flatMap(([, ids]) => [...ids.values()]);
    response.end(JSON.stringify({ counts, again, waits: path === '/waits' ? waits : [] }));
    return;
  }
  const at = Date.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { id, timestamp } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { id: string; timestamp: string };
    const ids = came.get(path) ?? new Map<string, number>();
    came.set(path, ids);
    if (ids.has(id)) again += 1;
    else ids.set(id, at - Date.parse(timestamp));
    if (!path.startsWith('/hang')) response.writeHead(204).end();
  });
}).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
