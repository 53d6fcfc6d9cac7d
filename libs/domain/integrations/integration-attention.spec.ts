import { getAttention } from './integration-attention';

describe('attention to connections in a report', () => {
  it('lists enabled connections that are disconnected', () => {
    expect(
      getAttention([
        { type: 'slack', enabled: true, status: 'disconnected' },
        { type: 'hubspot', enabled: true, status: 'connected' },
        { type: 'zoho', enabled: true, status: 'disconnected' },
        { type: 'attio', enabled: false, status: 'disconnected' },
      ]),
    ).toEqual([
      { severity: 'critical', sentence: 'Slack is disconnected: a person has to reconnect it.' },
      { severity: 'critical', sentence: 'Zoho CRM is disconnected: a person has to reconnect it.' },
    ]);
  });
});
