import { type AddLeadsRequest, type LeadActionRequest, type UpdateLeadRequest } from './lead-requests.dto';

/** Example bodies for the API documentation. */
export const LEAD_EXAMPLES: { add: AddLeadsRequest; update: UpdateLeadRequest; action: LeadActionRequest } = {
  add: {
    leads: [
      {
        email: 'grace@example.com',
        firstName: 'Grace',
        companyName: 'Example Ltd',
        timezone: 'America/New_York',
        variables: { product: 'compilers' },
      },
    ],
  },
  update: { firstName: 'Grace', variables: { product: 'compilers', oldName: null } },
  action: { action: 'pause', selectAll: true, filters: { contacted: false }, excludeIds: ['0123456789abcdef01234567'] },
};
