import { type ApiClient } from '@testing';

/** Connects HubSpot by a key. @returns a pending consent for another CRM, and secrets that no response may contain */
export async function makeCrm(api: ApiClient, apiKey: string): Promise<{ sessionId: string; secrets: string[] }> {
  await api.put('/v1/integrations/hubspot').send({ apiKey }).expect(200);
  const { body } = await api.post('/v1/integrations/crm/zoho/oauth').send({}).expect(201);
  const { data } = body as { data: { _id: string } };
  return { sessionId: data._id, secrets: [apiKey] };
}
