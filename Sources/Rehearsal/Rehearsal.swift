// Rehearsal
