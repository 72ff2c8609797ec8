// The word "atomic" stands in a header alone.
#include <atomic>
#define FLAG std::atomic<bool>
