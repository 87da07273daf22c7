// Particles that attract each other, a work-group at a time. The helper is called with one pointer of each memory.
typedef struct Particle {
    float4 position;
    float4 velocity;
    float mass;
} Particle;

static float4 force_between(global const Particle *p, global const Particle *q)
{
    const float4 d = q->position - p->position;
    const float distance = dot(d, d) + 1e-6f;
    return d * (q->mass / (distance * sqrt(distance)));
}

kernel void step(global Particle *particles, local Particle *nearby, int count, float dt)
{
    const int i = get_global_id(0), item = get_local_id(0);
    global Particle *self = &particles[i];
    float4 force = (float4)(0.0f);

    for (int first = 0; first < count; first += get_local_size(0)) {
        nearby[item] = particles[first + item];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < (int)get_local_size(0); ++j)
            force += force_between(self, &nearby[j]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    self->velocity += force * dt;
    self->position += self->velocity * dt;
}
