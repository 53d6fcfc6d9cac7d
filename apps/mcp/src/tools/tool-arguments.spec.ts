import { LONGEST_MESSAGE } from '../results/results';
import { readDocument } from '../openapi/document';
import { getArguments } from './tool-arguments';
import { getTools } from './tool';

describe('the arguments of a tool', () => {
  const tool = getTools(readDocument(), { readOnly: false }).find(({ name }) => name === 'add_leads');
  const schema = getArguments(tool!.inputSchema)['~standard'];
  const wrong = (count: number) => ({
    campaignId: 'c',
    leads: Array.from({ length: count }, () => ({ email: 'nobody' })),
  });

  it('have the schema that AI tools see', () => {
    expect(schema.jsonSchema.input({ target: 'draft-2020-12' })).toMatchObject(tool!.inputSchema);
  });

  it('are accepted when they match', async () => {
    const given = { campaignId: 'c', leads: [{ email: 'ann@leads.test' }] };
    expect(await schema.validate(given)).toEqual({ value: given });
  });

  it('are rejected with the reasons, in short for many errors', async () => {
    const { issues: [one] = [] } = await schema.validate(wrong(1));
    expect(one?.message).toMatch(/leads\/0\/email must match format "email"$/);
    const { issues: [many] = [] } = await schema.validate(wrong(1_000));
    expect(many?.message.length).toBeLessThan(LONGEST_MESSAGE + 50);
    expect(many?.message).toMatch(/more characters\]$/);
  });
});
