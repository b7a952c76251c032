/** The states of a referral as the API names them, in the order in which a good one goes through them. */
export const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];
