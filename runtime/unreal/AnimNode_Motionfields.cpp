#include "AnimNode_Motionfields.h"

#include "Animation/AnimInstanceProxy.h"
#include "Misc/FileHelper.h"
#include "Misc/Paths.h"

using motionfields::Axes;

static FVector Vector(motionfields::Vector V) { return FVector(V.x, V.y, V.z); }
static FQuat Quat(motionfields::Quaternion Q) { return FQuat(Q.x, Q.y, Q.z, Q.w); }

void FAnimNode_Motionfields::Initialize_AnyThread(const FAnimationInitializeContext &Context) {
    FAnimNode_Base::Initialize_AnyThread(Context);
    Crowd.Reset();
    Opened.Reset();
    TArray<uint8> Bytes;
    const FString Path = FPaths::Combine(FPaths::ProjectContentDir(), Pack);
    if (!FFileHelper::LoadFileToArray(Bytes, *Path)) {
        UE_LOG(LogAnimation, Error, TEXT("%s cannot be read"), *Path);
        return;
    }
    try {
        const std::vector<unsigned char> Content(Bytes.GetData(), Bytes.GetData() + Bytes.Num());
        Opened = MakeShared<motionfields::Pack>(Content);
        Crowd = MakeShared<motionfields::Crowd>(*Opened, 1u);
        const FTransform Mesh = Context.AnimInstanceProxy->GetComponentTransform();
        const FVector At = Mesh.GetLocation();
        Actor = FTransform(FRotator(0.0, Mesh.Rotator().Yaw - MeshYaw, 0.0), At);
        Crowd->place(0, {At.X, At.Y, 0.0}, Actor.Rotator().Yaw, Axes::unreal);
        Due = 0.0;
    } catch (const motionfields::Error &Error) {
        Crowd.Reset();
        UE_LOG(LogAnimation, Error, TEXT("%s: %s"), *Path, UTF8_TO_TCHAR(Error.what()));
    }
}

void FAnimNode_Motionfields::CacheBones_AnyThread(const FAnimationCacheBonesContext &Context) {
    const FBoneContainer &Bones = Context.AnimInstanceProxy->GetRequiredBones();
    Joints.Init(INDEX_NONE, Bones.GetCompactPoseNumBones());
    if (!Crowd) return;
    for (int32 Bone = 0; Bone < Joints.Num(); Bone++) {
        const FMeshPoseBoneIndex Mesh = Bones.MakeMeshPoseIndex(FCompactPoseBoneIndex(Bone));
        const FString Name = Bones.GetReferenceSkeleton().GetBoneName(Mesh.GetInt()).ToString();
        for (uint32 Joint = 0; Joint < Opened->joints(); Joint++)
            if (Name.Equals(UTF8_TO_TCHAR(Opened->joint_name(Joint).c_str()), ESearchCase::IgnoreCase)) Joints[Bone] = Joint;
    }
}

void FAnimNode_Motionfields::Update_AnyThread(const FAnimationUpdateContext &Context) {
    GetEvaluateGraphExposedInputs().Execute(Context);
    if (!Crowd) return;
    motionfields::Command Command;
    Command.heading = Heading, Command.facing = Facing, Command.speed = Speed, Command.gait = Gait;
    Command.point = {Point.X, Point.Y, Point.Z};
    try {
        Crowd->command(0, Command, Axes::unreal);
        for (Due += Context.GetDeltaTime(); Due >= Opened->frame_time(); Due -= Opened->frame_time()) Crowd->step();
        const motionfields::Ground Ground = Crowd->ground(0, Axes::unreal);
        FVector At = Vector(Ground.position);
        At.Z = Actor.GetLocation().Z; // the floor of the scene
        Actor = FTransform(Quat(Ground.rotation), At);
    } catch (const motionfields::Error &Error) { // a command that is not finite: the character waits for a better one
        UE_LOG(LogAnimation, Warning, TEXT("%s"), UTF8_TO_TCHAR(Error.what()));
    }
}

void FAnimNode_Motionfields::Evaluate_AnyThread(FPoseContext &Output) {
    Output.ResetToRefPose();
    if (!Crowd || Joints.Num() != Output.Pose.GetNumBones()) return;
    const motionfields::Pose Pose = Crowd->pose(0, Axes::unreal);
    const motionfields::Ground Ground = Crowd->ground(0, Axes::unreal);
    // From the world to the mesh component: the actor's place and facing, then the yaw of the mesh in its actor.
    const FQuat MeshTurn = FRotator(0.0, MeshYaw, 0.0).Quaternion();
    const FQuat MeshFromWorld = (Quat(Ground.rotation) * MeshTurn).Inverse();
    const FVector Root = MeshFromWorld.RotateVector(Vector(Pose.root) - Vector(Ground.position));
    TArray<FQuat> World; // of the joints
    World.SetNum(Pose.rotations.size());
    for (int32 Joint = 0; Joint < World.Num(); Joint++) {
        const int32 Parent = Opened->parent(Joint);
        World[Joint] = Parent < 0 ? Quat(Pose.rotations[Joint]) : World[Parent] * Quat(Pose.rotations[Joint]);
    }
    TArray<FTransform> Reference, Posed; // bones in the mesh component, parents first
    Reference.SetNum(Joints.Num());
    Posed.SetNum(Joints.Num());
    for (const FCompactPoseBoneIndex Bone : Output.Pose.ForEachBoneIndex()) {
        const int32 Parent = Output.Pose.GetParentBoneIndex(Bone).GetInt();
        const FTransform Above = Parent < 0 ? FTransform::Identity : Posed[Parent];
        FTransform &Here = Posed[Bone.GetInt()];
        Reference[Bone.GetInt()] = Parent < 0 ? Output.Pose[Bone] : Output.Pose[Bone] * Reference[Parent];
        Here = Output.Pose[Bone] * Above;
        const int32 Joint = Joints[Bone.GetInt()];
        if (Joint == INDEX_NONE) continue;
        // The joint's turn away from the reference pose, in the axes of the mesh component.
        Here.SetRotation(MeshFromWorld * World[Joint] * MeshTurn * Reference[Bone.GetInt()].GetRotation());
        if (Joint == 0) Here.SetTranslation(Root);
        Output.Pose[Bone] = Here.GetRelativeTransform(Above);
    }
}
