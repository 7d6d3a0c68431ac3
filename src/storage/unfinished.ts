/** The folder within a data folder that holds the store until that is whole. */
export const UNFINISHED = 'unfinished';
