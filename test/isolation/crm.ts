import { type ApiClient } from '@testing';

/** Connected with HubSpot by a key. @returns the consent for another CRM that was begun, and what must never be read */
export async function makeCrm(api: ApiClient, apiKey: string): Promise<{ sessionId: string; secrets: string[] }> {
  await api.put('/v1/integrations/hubspot').send({ apiKey }).expect(200);
  const { body } = await api.post('/v1/integrations/crm/zoho/oauth').send({}).expect(201);
  const { data } = body as { data: { _id: string } };
  return { sessionId: data._id, secrets: [apiKey] };
}
