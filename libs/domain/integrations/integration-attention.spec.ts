import { getAttention } from './integration-attention';

describe('what a report says of connections', () => {
  it('is which of those that are wanted nothing can be done with', () => {
    expect(
      getAttention([
        { type: 'slack', enabled: true, status: 'disconnected' },
        { type: 'hubspot', enabled: true, status: 'connected' },
        { type: 'zoho', enabled: true, status: 'disconnected' },
        { type: 'attio', enabled: false, status: 'disconnected' },
      ]),
    ).toEqual([
      { severity: 'critical', sentence: 'Slack is disconnected: somebody has to connect it again.' },
      { severity: 'critical', sentence: 'Zoho CRM is disconnected: somebody has to connect it again.' },
    ]);
  });
});
