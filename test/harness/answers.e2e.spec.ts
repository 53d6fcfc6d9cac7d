import { CreditsService } from '@domain/credits';
import { startPlatform } from './platform';

it('fails the suite of a platform whose response violates the document, whichever client requested it', async () => {
  const platform = await startPlatform();
  const { key } = await platform.seed.workspace();
  const wrong = { balance: 1, reserved: 0, secret: 'x' };
  const spy = jest.spyOn(platform.app.get(CreditsService, { strict: false }), 'balance').mockResolvedValue(wrong);
  try {
    const headers = { 'X-Api-Key': key };
    expect((await fetch(`${await platform.app.getUrl()}/v1/credits/balance`, { headers })).status).toBe(200);
  } finally {
    spy.mockRestore();
  }
  await expect(platform.close()).rejects.toThrow(
    /GET \/v1\/credits\/balance 200: \/data must NOT have additional properties \{"additionalProperty":"secret"\}/,
  );
});
