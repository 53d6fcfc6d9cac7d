import { randomBytes } from 'node:crypto';
import { type ApiClient } from '@testing';

/** An enrichment tool. @returns its secrets */
export async function makeTool(api: ApiClient): Promise<string[]> {
  const [id, authToken, signingSecret] = Array.from({ length: 3 }, () => randomBytes(16).toString('hex')) as [
    string,
    string,
    string,
  ];
  const webhookUrl = `https://tables.example.com/v3/sources/webhook/${id}`;
  const mapping = { title: 'jobTitle' };
  await api.put('/v1/enrichment/tool').send({ webhookUrl, authToken, signingSecret, mapping }).expect(200);
  return [id, authToken, signingSecret];
}
